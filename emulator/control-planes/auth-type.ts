/** The documented ways in which data planes authenticate. Source: Control Planes API v2, `auth_type`. */
export const AUTH_TYPES = ["pinned_client_certs", "pki_client_certs"] as const;

/** A documented way in which data planes authenticate. */
export type AuthType = (typeof AUTH_TYPES)[number];
