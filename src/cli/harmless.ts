/** On one line: whoever writes an object's fields shall not write to the terminal of who reads them. */
export const harmless = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll(/\p{Cc}|\p{Cf}/gu, '\ufffd')
