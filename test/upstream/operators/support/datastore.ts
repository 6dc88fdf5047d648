import { createPrivateKey } from 'crypto';
import { writeFileSync } from 'fs';
import { request } from 'https';
import { join } from 'path';
import { TESTS_ADDRESS } from './network';
import { eventually } from '../../../data-path/support/eventually';
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
  // Steward 0.4 reads no other form of the key with which it issues what its API servers show to the datastore.
  const key = createPrivateKey(await authority.key()).export({ type: 'pkcs1', format: 'pem' }).toString();
  const ca = { certificate: authority.certificate, key };
  const [client, peer] = await freePorts(2);
  writeFileSync(cluster.file('datastore-ca.crt'), ca.certificate);
  cluster.writePair('datastore', await authority.issue({ commonName: 'datastore', sans: [TESTS_ADDRESS] }));
  const url = `https://${TESTS_ADDRESS}:${client}`;
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
  const datastore = { endpoint: `${TESTS_ADDRESS}:${client}`, ca, root: await authority.issue({ commonName: 'root' }) };
  await giveEachUserItsPart(datastore);
  return datastore;
}

/** Has etcd ask who a client is, as the operators' charts of etcd do: each user of theirs reads and writes its own part alone. */
async function giveEachUserItsPart(datastore: Datastore): Promise<void> {
  const { ca: { certificate: ca }, endpoint, root } = datastore;
  const call = (path: string, body: object) => new Promise<boolean>((resolve, reject) => {
    request(`https://${endpoint}/v3/auth/${path}`, { method: 'POST', ca, cert: root.certificate, key: root.key }, response =>
      response.on('end', () => response.statusCode === 200 ? resolve(true) : reject(new Error(`${path}: ${response.statusCode}`))).resume())
      .on('error', reject).end(JSON.stringify(body));
  });
  await eventually(() => call('status', {}), 30_000);
  await call('user/add', { name: 'root', options: { no_password: true } });
  await call('role/add', { name: 'root' });
  await call('user/grant', { user: 'root', role: 'root' });
  await call('enable', {});
}
