/** A certificate that the resource of a control plane has its API server serve by SNI. */
export interface ServedCertificate {
  readonly secretName: string;
  readonly hosts: string[];
  readonly folder: string;
  readonly files: string[];
}

/** What the API server of a resource of Kamaji, Steward or k0smotron is given: flags whose files are mounted, from Secrets. */
export function apiServerCertificatesOf({ kind, spec }: any): ServedCertificate[] {
  const { flags, mounts, volumes } = READERS[kind](spec);
  return flags.map(value => {
    const [files, hosts] = value.split(':');
    const [certificate, key] = files.split(',');
    const folder = certificate.replace(/\/[^/]+$/, '');
    const mount = mounts.find(({ mountPath }) => mountPath === folder)!;
    // A file that is mounted alone is never renewed.
    expect(mount).toEqual({ name: expect.stringMatching(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/), mountPath: folder, readOnly: true });
    return { secretName: volumes.find(({ name }) => name === mount.name)!.secret.secretName, hosts: hosts.split(','), folder, files: [certificate, key] };
  });
}

interface Read {
  /** Values of `--tls-sni-cert-key`. */
  readonly flags: string[];
  readonly mounts: any[];
  readonly volumes: any[];
}

const flagsAmong = (args: string[] = []) => args.flatMap(arg => /^--tls-sni-cert-key=(.*)$/.exec(arg)?.[1] ?? []);

const READERS: { [kind: string]: (spec: any) => Read } = {
  TenantControlPlane: ({ controlPlane: { deployment } }) => ({
    flags: flagsAmong(deployment.extraArgs?.apiServer),
    mounts: deployment.additionalVolumeMounts?.apiServer ?? [],
    volumes: deployment.additionalVolumes ?? [],
  }),
  KamajiControlPlane: ({ apiServer, deployment }) => ({
    flags: flagsAmong(apiServer?.extraArgs), mounts: apiServer?.extraVolumeMounts ?? [], volumes: deployment?.extraVolumes ?? [],
  }),
  Cluster: k0smotron,
  K0smotronControlPlane: k0smotron,
};

/** k0smotron makes the name of the volume of the path (its generateStatefulSet). */
function k0smotron({ k0sConfig, mounts = [] }: any): Read {
  const flag = k0sConfig.spec.api?.extraArgs?.['tls-sni-cert-key'];
  return {
    flags: flag === undefined ? [] : [flag],
    mounts: mounts.map(({ path, readOnly }: any) => ({ name: path.slice(1).replace(/\//g, '-'), mountPath: path, readOnly })),
    volumes: mounts.map(({ path, secret }: any) => ({ name: path.slice(1).replace(/\//g, '-'), secret })),
  };
}
