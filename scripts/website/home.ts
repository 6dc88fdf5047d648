import { pageOf, Translator } from './page';

const FRONT = `---
layout: home
hero:
  name: Hosted control planes
  text: behind one shared address
  tagline: cdk8s constructs for Steward, Kamaji, k0smotron and HyperShift. One definition is the source of routes, certificate names, flags, konnectivity, DNS and endpoints.
  actions:
    - { theme: brand, text: Which way, link: /choosing }
    - { theme: alt, text: Examples, link: /examples/ }
    - { theme: alt, text: Classes to start from, link: "/api/#where-to-start" }
features:
  - { title: One address for all, details: "Any ingress controller that passes TLS through, a Gateway, or a shared gateway of our own." , link: /ingress-controllers }
  - { title: Pods reach their API server, details: "A tcp-proxy, a port, an IPv6 address or the public host make kubernetes.default.svc work.", link: /tcp-proxy }
  - { title: Wrong input fails first, details: "At synthesis, with the field, its value, the reason and what to write instead.", link: /troubleshooting }
---
`;

/** The first page: README.md below a head. */
export function homePage(translator: Translator): string {
  const readme = pageOf('README.md', translator);
  return `${FRONT}\n${readme.replace(/^# .*\n/, '').replace(/^## Read on[\s\S]*?(?=^License:)/m, '')}`;
}
