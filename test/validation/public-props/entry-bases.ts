import { Chart } from 'cdk8s';
import { Base, Bases, controlPlane, labels, plain, tenantChart } from './base';
import {
  ControlPlanePlatform, DnsConfigMap, DnsOutput, DnsTarget, Exposure, ExposureReport, HostPolicyAction, IngressController, IngressExposedControlPlane,
  MutatingAdmissionPolicyVersion, ServingCertificate, SharedIngressGateway, TenantDns,
} from '../../../src';

const ENTRY = { name: 'public', hostname: 'api.example.org', konnectivityHostname: 'konnectivity.example.org', port: 443 };
const EXPOSURE = { name: 'tenant-01', namespace: 'tenants', domain: 'example.com', konnectivity: {} };

function withEntry(management: Chart): IngressExposedControlPlane {
  return controlPlane(management, { furtherEntries: [{ ...ENTRY, controller: IngressController.traefik() }] });
}

/** A certificate of an entry. */
function serving(...args: any[]): Base {
  return {
    args: () => args,
    use: (certificate: ServingCertificate, management) => void controlPlane(management, { furtherEntries: [{ name: 'public', hostname: 'api.example.org', certificate }] }),
  };
}

/** Entries, as they are with everything that has some. */
export const ENTRY_BASES: Bases = {
  'new IngressExposedControlPlane': [{
    args: () => [{
      namespace: 'tenants',
      kubernetesVersion: '1.34.3',
      domain: 'example.com',
      platform: ControlPlanePlatform.kamaji(),
      controller: IngressController.haproxy(),
      konnectivity: { controller: IngressController.traefik(), allowedCidrs: ['203.0.113.0/24'] },
      furtherEntries: [{
        ...ENTRY, controller: IngressController.traefik(), allowedCidrs: ['203.0.113.0/24'], certificate: ServingCertificate.existingSecret('public'),
      }],
    }],
  }],
  'IngressExposedControlPlane.fromAttributes': [{
    args: management => [management, 'elsewhere', {
      namespace: 'tenants', domain: 'example.com', konnectivity: {}, furtherEntries: [ENTRY],
    }],
  }],
  'new Exposure': [plain({ ...EXPOSURE, konnectivityOwnEntry: true, furtherEntries: [ENTRY] })],
  'Exposure#dnsNamesOf': [{ args: () => ['public'], on: () => new Exposure({ ...EXPOSURE, furtherEntries: [ENTRY] }) }],
  'ServingCertificate.certManager': [serving({ issuer: { name: 'acme', kind: 'ClusterIssuer', group: 'cert-manager.io' }, duration: '2160h' })],
  'ServingCertificate.existingSecret': [serving('public')],
  'SharedIngressGateway#register': [{
    args: management => [withEntry(management).exposure, { entry: 'public', allowedCidrs: ['203.0.113.0/24'] }],
    on: management => new SharedIngressGateway(management, 'edge', { namespace: 'edge' }),
  }],
  'new ExposureReport': [{
    args: management => {
      withEntry(management);
      return [{ entryAddresses: { public: ['203.0.113.20'] }, html: true, printSummary: true }];
    },
    use: (made: ExposureReport) => void [made.markdown(), made.html()],
  }],
  'new TenantDns': [{
    args: management => [{
      exposures: [withEntry(management).exposure],
      target: DnsTarget.addresses(['203.0.113.10']),
      entryTargets: { public: DnsTarget.addresses(['203.0.113.20']) },
      zones: ['example.com', 'example.org'],
    }],
    use: (made: TenantDns, management) => void new DnsConfigMap(management, 'dns', { dns: made, output: DnsOutput.bind(), namespace: 'dns' }),
  }],
  'new HostOwnershipPolicy': [{
    args: () => [{
      namespace: 'host-policy',
      name: 'hosts',
      domains: [{ domain: 'example.com', namespaces: ['platform'], namespaceLabels: labels() }],
      exposures: [new Exposure(EXPOSURE)],
      onlyListedDomains: true,
      trustedNamespaces: ['edge'],
      action: HostPolicyAction.WARN,
      labels: labels(),
    }],
  }],
  'new KonnectivityHostAliases': [{
    scope: tenantChart,
    args: management => [{
      controlPlane: controlPlane(management),
      addresses: ['203.0.113.10'],
      agentLabels: { app: 'konnectivity-agent' },
      apiVersion: MutatingAdmissionPolicyVersion.V1BETA1,
      name: 'aliases',
      labels: labels(),
    }],
  }],
};
