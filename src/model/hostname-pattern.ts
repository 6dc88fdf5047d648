import { nameFactories } from '../validation/factories';
import { validateHostname } from '../validation/hostname';
import { invalidInput } from '../validation/invalid-input';
import { Checks, checkProps } from '../validation/props';
import { required } from '../validation/required';
import { validateText } from '../validation/text';

/** What a hostname pattern is filled with. */
export interface HostnamePatternValues {
  /** Name of the control plane. */
  readonly name: string;
  /** Namespace of the control plane. */
  readonly namespace: string;
  /** What is behind the host: `k8s` for the API server, `konnectivity`, or the name of a TLS service. */
  readonly service: string;
  /** The domain that all tenants share. */
  readonly domain: string;
}

const VALUES: Checks<HostnamePatternValues> = { name: validateText, namespace: validateText, service: validateText, domain: validateText };

/** How the hosts of a control plane are named when they are not given one by one. */
export class HostnamePattern {
  /** `{namespace}-{name}.{service}.{domain}`, as Kamaji's ingress addon names hosts. */
  public static kamaji(): HostnamePattern {
    return new HostnamePattern('{namespace}-{name}.{service}.{domain}');
  }

  /** `{name}.{service}.{domain}`, as Steward's documentation names hosts. */
  public static steward(): HostnamePattern {
    return new HostnamePattern('{name}.{service}.{domain}');
  }

  /**
   * A pattern of your own.
   *
   * @param template text with the placeholders `{name}`, `{namespace}`, `{service}` and `{domain}`. `{name}`
   * and `{service}` must occur: without them two hosts of the platform would be equal.
   */
  public static of(template: string): HostnamePattern {
    return new HostnamePattern(template);
  }

  private constructor(private readonly template: string) {
    validateText('hostnamePattern', template);
    for (const placeholder of ['{name}', '{service}']) {
      if (!template.includes(placeholder)) {
        throw invalidInput('hostnamePattern', template, `lacks ${placeholder}`, `Add ${placeholder}, so that every host is different`);
      }
    }
    const unknown = template.match(/\{(?!(?:name|namespace|service|domain)\})[^}]*\}?/);
    if (unknown) {
      throw invalidInput('hostnamePattern', template, `has the unknown placeholder ${unknown[0]}`,
        'Use {name}, {namespace}, {service} and {domain}');
    }
  }

  /** The host for the given values. Throws when the result is not a valid host, e.g. when a label is too long. */
  public hostname(values: HostnamePatternValues): string {
    checkProps('', required('values', values, 'Give name, namespace, service and domain'), VALUES);
    const filled = this.template.replace(/\{(name|namespace|service|domain)\}/g,
      (_, key: keyof HostnamePatternValues) => values[key]);
    return validateHostname('hostname', filled);
  }
}

nameFactories(HostnamePattern);
