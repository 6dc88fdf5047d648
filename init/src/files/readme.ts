import { namespacesOf, TENANTS_FOLDER } from '../app';
import { fileOf, Language } from '../languages/language';
import { Settings } from '../settings';

/** Where the documentation is. */
const DOCS = 'https://github.com/cdk8s-hosted-control-plane/cdk8s-hosted-control-plane/blob/main/docs';

/** What the project is and how it goes on, in ten lines. */
export function readme(settings: Settings, { install, lockFile, test, command, sources }: Language): string {
  const { platform, controller, delivery, domain, apiHost } = settings;
  return fileOf([
    `# Control planes of ${domain}`,
    '',
    `Control planes of ${platform.title} behind ${controller.title}, described in \`${sources.app}\`; \`${sources.test}\` shows that nothing in the manifests disagrees.`,
    '',
    `1. ${install.length > 0 ? `Once: ${install.map(each => `\`${each}\``).join(', ')}${lockFile === undefined ? '' : `; commit \`${lockFile}\`, which it writes`}. Then` : 'The test:'} \`${test}\`.`,
    `2. \`${command}\` writes \`dist\`${delivery.fromGit ? ` and \`${TENANTS_FOLDER}\`: commit both` : ''}. What cannot work is an error that says what to write instead.`,
    `3. Create the DNS records that \`dist/report/exposure-report.md\` lists: \`${apiHost}\` and the others lead to the shared address.`,
    `4. In the management cluster: ${namespacesOf(settings).map(name => `\`kubectl create namespace ${name}\``).join(', ')}, then \`kubectl apply -f dist\`. The report says what must be there before.`,
    `5. ${takenBy(settings)}`,
    `6. \`npx cdk8s-hosted-control-plane doctor live --manifests dist${delivery.fromGit ? ` --manifests ${TENANTS_FOLDER}` : ''} --all\` goes through the path of every tenant, hop by hop.`,
    `7. A further tenant is a second control plane in \`${sources.app}\`${platform.tcpProxy ? ', with a TcpProxyAddon of its own' : ''}; [many tenants](${DOCS}/many-tenants.md), [upgrades](${DOCS}/upgrading.md), [troubleshooting](${DOCS}/troubleshooting.md).`,
  ]);
}

function takenBy({ platform, delivery, namespace, tenant }: Settings): string {
  const folder = `${namespace}-${tenant}`;
  switch (delivery.name) {
    case 'sync': return '`sync`, a Deployment in `dist`, takes the objects of tenants to their clusters; nothing else is to be done.';
    case 'flux': return `Flux takes \`${TENANTS_FOLDER}\` to the clusters of tenants, from the GitRepository \`flux-system\`.`;
    case 'argocd': return `Argo CD takes \`${TENANTS_FOLDER}\` to the clusters of tenants, from the repository in \`repoUrl\`.`;
    case 'cluster-resource-set': return 'Cluster API takes the objects of tenants to their clusters: give each tenant a Cluster.';
    default: return platform.tcpProxy
      ? `The objects of a tenant are in a folder of their own: \`kubectl --kubeconfig <of the tenant> apply -f dist/${folder}\`.`
      : 'HyperShift brings its own proxy to the nodes. Edit release image and pull secret before you apply.';
  }
}
