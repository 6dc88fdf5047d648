import { writeFileSync } from 'fs';
import { join } from 'path';
import { Cluster } from '../../../e2e/support/cluster';
import { Process } from '../../../e2e/support/process';
import { CertificateAuthority, CertificatePair } from '../../../support/certificates';
import { freePorts } from '../../../support/ports';

/** An etcd for the tenants of an operator, with client certificates, as the operators demand. */
export interface Datastore {
  readonly endpoint: string;
  readonly ca: CertificatePair;
  /** Of the user who may make others. */
  readonly root: CertificatePair;
}

/** Starts it, with its files beside those of the management cluster. */
export async function startDatastore(cluster: Cluster): Promise<Datastore> {
  const authority = await CertificateAuthority.create('etcd', 'rsa');
  const ca = { certificate: authority.certificate, key: await authority.key() };
  const [client, peer] = await freePorts(2);
  writeFileSync(cluster.file('datastore-ca.crt'), ca.certificate);
  cluster.writePair('datastore', await authority.issue({ commonName: 'etcd', sans: ['127.0.0.1', 'localhost'] }));
  const url = `https://127.0.0.1:${client}`;
  new Process(join(process.env.KUBEBUILDER_ASSETS!, 'etcd'), [
    `--data-dir=${cluster.file('datastore')}`,
    '--unsafe-no-fsync',
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    `--listen-peer-urls=http://127.0.0.1:${peer}`,
    `--initial-advertise-peer-urls=http://127.0.0.1:${peer}`,
    `--initial-cluster=default=http://127.0.0.1:${peer}`,
    '--client-cert-auth=true',
    `--trusted-ca-file=${cluster.file('datastore-ca.crt')}`,
    `--cert-file=${cluster.file('datastore.crt')}`,
    `--key-file=${cluster.file('datastore.key')}`,
  ]);
  return { endpoint: `127.0.0.1:${client}`, ca, root: await authority.issue({ commonName: 'root' }) };
}
