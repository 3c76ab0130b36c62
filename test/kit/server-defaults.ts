/** What the API server adds to the objects of a service. It is not ours, and we do not want to own it. */
const serverDefaults = [
  /\.fieldRef\.apiVersion$/,
  /Probe\.(?:httpGet\.scheme|timeoutSeconds|successThreshold)$/,
  /\.(?:terminationMessagePath|terminationMessagePolicy|imagePullPolicy)$/,
  /\.template\.spec\.(?:restartPolicy|terminationGracePeriodSeconds|dnsPolicy|schedulerName|serviceAccount)$/,
  // Maps with nothing in them.
  /\.(?:resources|securityContext|annotations)$/,
  /\.volumeClaimTemplates\[\d\]\.(?:kind|apiVersion|spec\.volumeMode|status\.phase)$/,
  /\.(?:revisionHistoryLimit|defaultMode)$/,
  /^Service .*\.spec\.(?:sessionAffinity|ipFamilyPolicy|internalTrafficPolicy|externalTrafficPolicy)$/,
  /^Service .*\.spec\.(?:ipFamilies\[0\]|clusterIPs\[0\])$/,
  /^Service \S+-headless\.spec\.type$/,
  /^Service ledger-[^-.]+\.spec\.clusterIP$/,
]

export const isServerDefault = (path: string): boolean => serverDefaults.some((pattern) => pattern.test(path))

export const withoutServerDefaults = (paths: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(paths).filter(([path]) => !isServerDefault(path)))
