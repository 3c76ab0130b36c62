import { responseSigningDir, tlsDir } from '../volumes.ts'
import type { VariableTable } from './variables.ts'

/** Who may use the ledger. */
export const authTable: VariableTable = {
  variables: {
    AUTH_ENABLED: 'auth.enabled',
    AUTH_ISSUER: 'auth.issuer',
    AUTH_ISSUERS: 'auth.issuers',
    AUTH_SERVICE: 'auth.service',
    AUTH_CHECK_SCOPES: 'auth.checkScopes',
    AUTH_READ_KEY_SET_MAX_RETRIES: 'auth.readKeySetMaxRetries',
    AUTH_SCOPE_MAPPING: {
      of: ['auth.scopeMapping'],
      print: ({ spec }) => {
        // In order, so that the same mapping is always the same text.
        const scopes = Object.entries(spec.auth?.scopeMapping ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))
        return scopes.length === 0 ? undefined : JSON.stringify(Object.fromEntries(scopes))
      },
    },
    AUTH_ANONYMOUS_SCOPES: 'auth.anonymousScopes',
  },
}

export const tlsModeTable: VariableTable = {
  variables: {
    TLS_MODE: { of: ['tls.enabled'], print: ({ spec }) => (spec.tls?.enabled === true ? 'required' : 'disabled') },
  },
}

export const tlsTable: VariableTable = {
  when: 'tls.enabled',
  variables: {
    TLS_CERT_FILE: { of: ['tls.enabled'], print: () => `${tlsDir}/tls.crt` },
    TLS_KEY_FILE: { of: ['tls.enabled'], print: () => `${tlsDir}/tls.key` },
    TLS_CA_CERT_FILE: {
      of: ['tls.caSecretKey'],
      print: ({ spec }) => (spec.tls?.caSecretKey ? `${tlsDir}/${spec.tls.caSecretKey}` : undefined),
    },
  },
}

export const responseSigningTable: VariableTable = {
  when: 'responseSigning.enabled',
  variables: {
    RESPONSE_SIGNING_KEY: {
      of: ['responseSigning.secretKey'],
      print: ({ spec }) => `${responseSigningDir}/${spec.responseSigning?.secretKey || 'seed'}`,
    },
  },
}
