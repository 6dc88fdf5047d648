/** Port of the API server, of Kamaji and Steward, unless the user says otherwise. */
export const DEFAULT_API_PORT = 6443;
/** Port of the konnectivity server unless the user says otherwise. */
export const DEFAULT_KONNECTIVITY_PORT = 8132;
/** The class that no controller handles, as Kamaji's documentation names it. */
export const DEFAULT_UNHANDLED_CLASS = 'unhandled';
/** API groups of the TenantControlPlane. */
export const KAMAJI_GROUP = 'kamaji.clastix.io';
export const STEWARD_GROUP = 'steward.butlerlabs.dev';
/** Annotation for Kamaji's ingress addon, which makes the routes of the hosts that belong to this domain, and runs a tcp-proxy. */
export const KAMAJI_ADDON_DOMAIN = 'kamaji.clastix.io/ingress.domain';
