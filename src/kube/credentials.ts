/** How to reach one API server, and as whom. */
export interface Credentials {
  readonly server: string
  readonly ca: string | undefined
  readonly cert: string | undefined
  readonly key: string | undefined
  readonly token: string | undefined
}
