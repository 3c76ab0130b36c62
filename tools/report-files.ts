// Written by `make check` and `make test`, added up by tally.ts. Relative to the root.
export const checkReport = '.dev/reports/check.json'
export const testReport = '.dev/reports/test.json'
/** Errors that no test waited for. */
export const outsideReport = '.dev/reports/outside.json'
/** How the program that runs the tests ended. */
export const endReport = '.dev/reports/end.json'
export const coverageReport = 'coverage/coverage-final.json'
export const coverageVerdict = '.dev/reports/coverage.json'
