import { Option } from 'commander'

/** Not read from the controllers: help would have to load them. */
const leavableKinds = ['ledgerclusteragents', 'ledgerservices']

/** The kinds that an operator leaves to somebody else. */
export const without = (description: string): Option =>
  new Option('--without <kinds...>', description).choices(leavableKinds).default([], 'none')
