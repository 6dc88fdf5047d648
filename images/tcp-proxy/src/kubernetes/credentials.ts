import { readFile } from 'node:fs/promises';

/** Whom to trust and who one is. */
export interface Credentials {
  /** The only authorities that are trusted, PEM. */
  readonly ca: string | Buffer;
  /** Bearer token. */
  readonly token?: string;
  /** Client certificate and its key, PEM. */
  readonly clientCertificate?: { readonly certificate: string; readonly key: string };
}

/** Asked before every request, as projected tokens and authorities rotate. */
export type CredentialSource = () => Promise<Credentials>;

export interface MountedCredentialsOptions {
  /** The cluster's CA. */
  readonly caFile: string;
  /** The service account token. */
  readonly tokenFile: string;
  /** How long what was read is used, in milliseconds. Default: 0, for each request once. */
  readonly maxAgeMs?: number;
}

/** The credentials of a pod's service account, read from their files again and again. */
export function mountedCredentials({ caFile, tokenFile, maxAgeMs = 0 }: MountedCredentialsOptions): CredentialSource {
  const read = async () => {
    const [ca, token] = await Promise.all([readFile(caFile), readFile(tokenFile, 'utf8')]);
    return { ca, token: token.trim() };
  };
  let latest: Credentials | undefined;
  let readAt = 0;
  return async () => {
    if (latest && performance.now() - readAt < maxAgeMs) return latest;
    latest = await read();
    readAt = performance.now();
    return latest;
  };
}
