import { styleText } from 'node:util'

export type Style = 'green' | 'yellow' | 'red' | 'bold' | 'dim'

/** Text with a colour, where somebody sees it and has not asked for none (NO_COLOR). */
export const paint = (output: NodeJS.WriteStream, style: Style, text: string): string =>
  output.isTTY ? styleText(style, text, { stream: output }) : text
