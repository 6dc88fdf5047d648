import { validateDnsSubdomain } from '../validation/hostname';
import { validateObjectName } from '../validation/object-name';
import { Check, optional, struct } from '../validation/props';
import { validateLine } from '../validation/text';

/** An issuer of cert-manager that exists already. */
export interface CertManagerIssuer {
  /** Name of the issuer. */
  readonly name: string;
  /**
   * Kind of the issuer: `Issuer`, in the namespace of what it issues for, `ClusterIssuer`, or that of another group.
   * @default Issuer
   */
  readonly kind?: string;
  /**
   * API group of the issuer.
   * @default cert-manager.io
   */
  readonly group?: string;
}

/** @internal What each of its properties may be. */
export const CERT_MANAGER_ISSUER: Check<CertManagerIssuer> = struct<CertManagerIssuer>({
  name: validateObjectName, kind: optional(validateLine), group: optional(validateDnsSubdomain),
});

/** @internal How objects of cert-manager refer to it. */
export function issuerRef({ name, kind = 'Issuer', group = 'cert-manager.io' }: CertManagerIssuer): Required<CertManagerIssuer> {
  return { group, kind, name };
}
