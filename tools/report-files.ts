// Written by `make check` and `make test`, added up by tally.ts. Relative to the root.
export const checkReport = '.dev/reports/check.json'
export const testReport = '.dev/reports/test.json'
export const coverageReport = 'coverage/coverage-final.json'
export const coverageVerdict = '.dev/reports/coverage.json'
