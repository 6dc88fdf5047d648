import { IConstruct } from 'constructs';
import { Exposure } from '../../model/exposure';
import { Warnings } from '../../synthesis/warnings';
import { invalidInput } from '../../validation/invalid-input';
import { IpNetwork } from '../../validation/ip-network';

/** kubeadm gives the Service of its CoreDNS the tenth address of the first Service network (`GetDNSIP`). */
const KUBEADM_OFFSET = 10n;
/** What Kamaji and Steward add to the last byte of a network (`tcp_defaults.go`). */
const OPERATOR_OFFSET = { ipv4: 10n, ipv6: 16n };

/**
 * The addresses of the cluster's DNS that kubelets are told: the user's, or those that Kamaji and Steward would choose.
 *
 * They are always written. The operators choose them when a control plane is created and never again: one whose addresses are
 * taken away, or whose KamajiControlPlane has none, would tell its kubelets no DNS at all.
 *
 * @param operatorsCoreDns whether the operator installs CoreDNS, whose first address is kubeadm's choice
 */
export function dnsServiceIps({ dnsServiceIps: given, serviceCidrs }: Exposure, operatorsCoreDns: boolean): string[] {
  return given.length > 0 ? given : serviceCidrs.map((cidr, i) => {
    const network = IpNetwork.parse('network.serviceCidrs', cidr);
    const address = network.nth(operatorsCoreDns && i === 0 ? KUBEADM_OFFSET : OPERATOR_OFFSET[network.family]);
    if (!network.contains(address)) {
      throw invalidInput('network.serviceCidrs', cidr, 'is too small for the address that the cluster\'s DNS has by default', 'Give a larger network, or network.dnsServiceIps');
    }
    return address;
  });
}

/**
 * Warns of addresses of the user's that the operator's CoreDNS does not have: kubeadm chooses that of its Service, and the API
 * server refuses a second address unless the first is the same.
 */
export function warnOfMissedCoreDns(scope: IConstruct, { dnsServiceIps: [first], serviceCidrs: [cidr] }: Exposure): void {
  const network = IpNetwork.parse('network.serviceCidrs', cidr);
  const coreDns = network.nth(KUBEADM_OFFSET);
  if (first !== undefined && !network.isNth(KUBEADM_OFFSET, first)) {
    Warnings._add(scope, `network.dnsServiceIps: "${first}" is not the address of the CoreDNS that the operator installs, ${coreDns}: nodes would ask an ` +
      `address that nobody has. Give "${coreDns}" first, or leave out coreDns and install a DNS with your address.`);
  }
}
