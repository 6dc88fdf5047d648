import { isIP } from 'net';

/*
 * What an API server refuses beyond the schemas of kinds: the rules of apimachinery and of the validation of built-in kinds
 * (kubernetes, `pkg/apis/core/validation`, `apimachinery/pkg/util/validation`), for the fields that this library writes. They are written anew here:
 * a test that took the library's own checks would prove nothing.
 */

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LABEL_NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const QUANTITY = /^\+?(\d+(\.\d*)?|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/;
/** Fields of built-in kinds that hold more than 32 bits. */
const INT64 = ['tolerationSeconds', 'terminationGracePeriodSeconds', 'runAsUser', 'runAsGroup', 'fsGroup'];
/** Not refused by the API server but by the kubelet, with the pod never starting (InvalidImageName). */
const IMAGE = /^([A-Za-z0-9.-]+(:\d+)?\/)?[a-z0-9]+([._-]+[a-z0-9]+)*(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*(:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(@sha256:[0-9a-f]{64})?$/;

/** Every reason, as `path: reason`. */
export function apiErrors(manifest: any): string[] {
  const errors: string[] = [];
  const fail = (path: string, reason: string) => errors.push(`${path}: ${reason}`);
  const isBuiltIn = !manifest.apiVersion.includes('.') || manifest.apiVersion.split('/')[0].endsWith('k8s.io');
  walk(manifest, '', (path, key, value, parent) => {
    if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) {
      fail(path, 'is not UTF-8');
    }
    if (typeof value === 'number' && (!Number.isFinite(value) || (isBuiltIn && Math.abs(value) >= 2 ** 31 && !INT64.includes(key)))) {
      fail(path, `the number ${value} is out of range`);
    }
    CHECKS[key]?.(value, reason => fail(path, reason), parent);
  });
  if (manifest.kind === 'Service' && manifest.apiVersion === 'v1') {
    checkService(manifest.spec, reason => fail('/spec', reason));
  }
  return errors;
}

type FieldCheck = (value: any, fail: (reason: string) => void, parent: any) => void;

const labelKey = (key: unknown) => {
  const [label, prefix, ...rest] = String(key).split('/').reverse();
  return typeof key === 'string' && rest.length === 0 && LABEL_NAME.test(label) && (prefix === undefined || (SUBDOMAIN.test(prefix) && prefix.length <= 253));
};
const labelValue = (value: unknown) => typeof value === 'string' && (value === '' || LABEL_NAME.test(value));
const objectName = (value: unknown) => typeof value === 'string' && SUBDOMAIN.test(value) && value.length <= 253;

const labels: FieldCheck = (map, fail) => {
  for (const [key, value] of isMap(map) ? Object.entries(map) : []) {
    if (!labelKey(key) || !labelValue(value)) {
      fail(`${JSON.stringify(key)}: ${JSON.stringify(value)} is no label`);
    }
  }
};
const name: FieldCheck = (value, fail) => {
  if (value !== undefined && !objectName(value)) {
    fail(`${JSON.stringify(value)} is not the name of an object`);
  }
};

const CHECKS: { [field: string]: FieldCheck } = {
  annotations: (map, fail) => {
    if (!isMap(map)) {
      return;
    }
    if (Object.entries(map).reduce((sum, [key, value]) => sum + key.length + Buffer.byteLength(String(value)), 0) > 262_144) {
      fail('has more than 256 KiB');
    }
    for (const [key, value] of Object.entries(map)) {
      if (!labelKey(key.toLowerCase()) || typeof value !== 'string') {
        fail(`${JSON.stringify(key)}: ${JSON.stringify(value)} is no annotation`);
      }
    }
  },
  labels,
  matchLabels: labels,
  nodeSelector: labels,
  priorityClassName: name,
  ingressClassName: name,
  serviceAccountName: name,
  gatewayClassName: name,
  loadBalancerClass: (value, fail) => {
    if (value !== undefined && !labelKey(value)) {
      fail(`${JSON.stringify(value)} is not a class`);
    }
  },
  loadBalancerSourceRanges: (ranges, fail) => {
    for (const range of items(ranges)) {
      const [address, prefix] = String(range).split('/');
      if (!isIP(address) || !/^\d{1,3}$/.test(prefix ?? '')) {
        fail(`${JSON.stringify(range)} is not a network`);
      }
    }
  },
  imagePullSecrets: (secrets, fail) => {
    for (const secret of items(secrets)) {
      name(secret?.name, fail, secret);
    }
  },
  containers: (containers, fail) => {
    for (const { image, resources = {}, args = [] } of items(containers)) {
      if (typeof image !== 'string' || image === '' || image !== image.trim() || !IMAGE.test(image)) {
        fail(`${JSON.stringify(image)} is not an image`);
      }
      for (const [resource, quantity] of [...Object.entries(resources.requests ?? {}), ...Object.entries(resources.limits ?? {})]) {
        if (!QUANTITY.test(String(quantity))) {
          fail(`${resource}: ${JSON.stringify(quantity)} is not an amount`);
        }
      }
      if (!items(args).every((arg: unknown) => typeof arg === 'string')) {
        fail('has an argument that is no text');
      }
    }
  },
  tolerations: (tolerations, fail) => {
    for (const { key = '', operator = 'Equal', value = '', effect = '', tolerationSeconds } of items(tolerations)) {
      const valid = (key === '' ? operator === 'Exists' : labelKey(key))
        && (operator === 'Exists' ? value === '' : operator === 'Equal' && labelValue(value))
        && ['', 'NoSchedule', 'PreferNoSchedule', 'NoExecute'].includes(effect)
        && (tolerationSeconds === undefined || (effect === 'NoExecute' && Number.isSafeInteger(tolerationSeconds)));
      if (!valid) {
        fail(`${JSON.stringify({ key, operator, value, effect, tolerationSeconds })} is not a toleration`);
      }
    }
  },
  hostAliases: (aliases, fail) => {
    for (const { ip, hostnames = [] } of items(aliases)) {
      if (!isIP(String(ip)) || !Array.isArray(hostnames) || !hostnames.every(objectName)) {
        fail(`${JSON.stringify({ ip, hostnames })} is not a host alias`);
      }
    }
  },
  secretName: name,
  matchExpressions: (expressions, fail) => {
    for (const { key, operator, values = [] } of items(expressions)) {
      const fits = ['In', 'NotIn'].includes(operator) ? items(values).length > 0 : ['Gt', 'Lt'].includes(operator) ? items(values).length === 1 : items(values).length === 0;
      if (!labelKey(key) || !fits) {
        fail(`${JSON.stringify({ key, operator, values })} is not a requirement`);
      }
    }
  },
  topologyKey: (key, fail) => {
    if (!labelKey(key)) {
      fail(`${JSON.stringify(key)} is not the key of a label`);
    }
  },
  weight: (weight, fail, parent) => {
    if ((parent.podAffinityTerm || parent.preference) && !(weight >= 1 && weight <= 100)) {
      fail(`${weight} is not between 1 and 100`);
    }
  },
  maxSkew: (skew, fail) => {
    if (!(skew >= 1)) {
      fail(`${skew} is not above 0`);
    }
  },
  replicas: (replicas, fail) => {
    if (typeof replicas === 'number' && replicas < 0) {
      fail(`${replicas} is negative`);
    }
  },
  port: port,
  containerPort: port,
  nodePort: port,
};

function port(value: unknown, fail: (reason: string) => void): void {
  if (typeof value === 'number' && !(Number.isInteger(value) && value >= 1 && value <= 65535)) {
    fail(`${value} is not a port`);
  }
}

function checkService({ selector }: any, fail: (reason: string) => void): void {
  labels(selector, fail, undefined);
}

/** Lists may have holes where the schema is at fault already. */
function items(list: unknown): any[] {
  return Array.isArray(list) ? list.filter(item => item !== null && item !== undefined) : [];
}

function isMap(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function walk(value: any, path: string, visit: (path: string, key: string, value: any, parent: any) => void): void {
  for (const [key, item] of Object.entries(value)) {
    visit(`${path}/${key}`, key, item, value);
    if (typeof item === 'object' && item !== null) {
      walk(item, `${path}/${key}`, visit);
    }
  }
}
