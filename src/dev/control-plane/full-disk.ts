export const fullDiskError = (cause?: unknown): Error =>
  new Error(
    'cannot get a control plane: the disk is full; free about 4 GB (`go clean -cache` gives back what builds left), ' +
      'or set XDG_CACHE_HOME to a disk with room, then run this again',
    { cause },
  )
