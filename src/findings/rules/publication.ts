import { nameOf, Rule } from './rule';
import { pickText } from '../../manifests/fields';
import { destinationOf } from '../../manifests/platform';
import { publicationOf } from '../../manifests/read-hypershift';

export const hostMissing: Rule = {
  code: 'HCP111',
  severity: 'error',
  title: 'an ingress of k0smotron lacks a host',
  check: platform => platform.controlPlanes
    .filter(({ system, exposure }) => (system === 'k0smotron' || system === 'k0rdent') && exposure === 'ingress')
    .flatMap(({ source, system, api, konnectivity }) => {
      const path = system === 'k0rdent' ? 'spec.config.controlPlane.ingress' : 'spec.ingress';
      const missing = [...(api?.host ? [] : ['apiHost']), ...(konnectivity.host?.host ? [] : ['konnectivityHost'])];
      return missing.map(name => ({
        source,
        field: `${path}.${name}`,
        message: `is missing: ${name === 'apiHost' ? 'nodes and clients' : 'konnectivity agents'} have no host to dial, and the Ingress no rule`,
        remedy: `Give ${name}, a host of its own with a DNS record`,
      }));
    }),
};

export const publishedOtherwise: Rule = {
  code: 'HCP112',
  severity: 'error',
  title: 'a control plane is published by a LoadBalancer of its own beside the shared address',
  check: platform => platform.controlPlanes.flatMap(({ source, system, exposure }) => {
    if (system === 'k0rdent') {
      const field = 'spec.config.controlPlane.service.type';
      return exposure !== 'ingress' || pickText(source.object, field) !== 'LoadBalancer' ? [] : [{
        source,
        field,
        message: 'is LoadBalancer beside an ingress: the template leads the Ingress to the ClusterIP Service, which k0smotron then does not make',
        remedy: 'Write ClusterIP, or leave the ingress out',
      }];
    }
    const published = system === 'HyperShift' ? publicationOf(source, 'APIServer') : undefined;
    const route = published?.value !== 'LoadBalancer' ? undefined : platform.routes.find(({ byOperator, backend, host }) => !byOperator
      && backend?.service === 'kube-apiserver' && destinationOf({ backend }, platform)?.source === source
      && host?.host !== pickText(source.object, 'spec.kubeAPIServerDNSName')?.toLowerCase());
    return route === undefined ? [] : [{
      source,
      field: published!.path,
      message: `is LoadBalancer, so nodes dial an address of its own and the certificate lacks ${route.host?.host ?? 'the host'} of ${nameOf(route.source)}`,
      remedy: 'Publish the API server at the shared address, or take the route away',
    }];
  }),
};
