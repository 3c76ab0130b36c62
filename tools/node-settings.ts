/**
 * How Node runs the bundle, wherever that is: the first lines of dist/holdfast.js and the image have these settings, tests
 * and benches start the bundle with them. By default V8 and the allocator use memory to save time, and the operator grows
 * to twice the size that it needs.
 *
 * Neither flag sets a limit at which the process ends, and V8 does not read the first one after it has started. Not
 * --optimize-for-size: it saves little more, and the operator needs a third more CPU time.
 */
export const nodeFlags: readonly string[] = [
  // In MB, of each half of the young generation. By default both together grow to 64 MB.
  '--max-semi-space-size=8',
  // Collect when the heap has grown by half. By default a small heap may grow to four times its size.
  '--heap-growing-percent=50',
]

/** One arena of glibc for all threads: each arena keeps freed memory that the others could use. */
export const nodeEnvironment = { MALLOC_ARENA_MAX: '1' } as const
