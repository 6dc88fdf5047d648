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
}

/** The credentials of a pod's service account, read from their files each time: requests are rare. */
export function mountedCredentials({ caFile, tokenFile }: MountedCredentialsOptions): CredentialSource {
  return async () => {
    const [ca, token] = await Promise.all([readFile(caFile), readFile(tokenFile, 'utf8')]);
    return { ca, token: token.trim() };
  };
}
