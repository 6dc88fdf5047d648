import { requireAnswerable } from './answerable';
import { relativeName } from './dns-name';
import { DnsFile, DnsOutput } from './dns-output';
import { DnsRecordType } from './dns-record';
import { TenantDns } from './tenant-dns';
import { absolute, recordsOfZone } from './zone-file';
import { invalidInput } from '../validation/invalid-input';
import { Checks, checkProps, oneOf, optional } from '../validation/props';
import { required } from '../validation/required';
import { validateText } from '../validation/text';

/** Which domain controllers an Active Directory-integrated zone is replicated to. */
export enum DnsReplicationScope {
  /** All DNS servers of the domain. */
  DOMAIN = 'Domain',
  /** All DNS servers of the forest. */
  FOREST = 'Forest',
  /** All domain controllers of the domain. */
  LEGACY = 'Legacy',
}

/** For Windows Server DNS. */
export interface WindowsServerOutputProps {
  /**
   * DNS server to run the commands at.
   * @default - the machine that the script runs on
   */
  readonly computerName?: string;
  /**
   * How a zone that is missing is replicated by Active Directory.
   * @default - it is kept in the file `<zone>.dns` of the one server
   */
  readonly replicationScope?: DnsReplicationScope;
}

/** The parameter of `Add-DnsServerResourceRecord` with the value, and where `Get-DnsServerResourceRecord` shows it. */
const RECORD_TYPES: { [type in DnsRecordType]: { readonly parameter: string; readonly property: string } } = {
  A: { parameter: 'IPv4Address', property: 'IPv4Address.IPAddressToString' },
  AAAA: { parameter: 'IPv6Address', property: 'IPv6Address.IPAddressToString' },
  CNAME: { parameter: 'HostNameAlias', property: 'HostNameAlias' },
};

/** The types that a name must be free of for a type of record to stand at it. */
const REPLACED_TYPES: { [type in DnsRecordType]: DnsRecordType[] } = {
  A: [DnsRecordType.CNAME],
  AAAA: [DnsRecordType.CNAME],
  CNAME: [DnsRecordType.A, DnsRecordType.AAAA],
};

const CHECKS: Checks<WindowsServerOutputProps> = {
  computerName: optional(validateText),
  replicationScope: optional(oneOf(DnsReplicationScope)),
};

/** A PowerShell script for the module DnsServer. It removes what a name should no longer have, not names that are gone. */
export class WindowsServerOutput extends DnsOutput {
  private readonly props: WindowsServerOutputProps;

  public constructor(props: WindowsServerOutputProps) {
    super();
    checkProps('', required('props', props, 'Give {} for the defaults'), CHECKS);
    if (props.computerName !== undefined && !/^[A-Za-z0-9:._-]+$/.test(validateText('computerName', props.computerName))) {
      throw invalidInput('computerName', props.computerName, 'is not the name of a machine', 'Give its DNS name, NetBIOS name or address');
    }
    this.props = props;
  }

  public override files(dns: TenantDns): DnsFile[] {
    requireAnswerable('Windows Server', dns);
    const { computerName, replicationScope } = this.props;
    const text = [
      '#Requires -Modules DnsServer',
      'Set-StrictMode -Version Latest',
      '$ErrorActionPreference = \'Stop\'',
      `$Server = @{${computerName === undefined ? '' : ` ComputerName = ${powerShellString(computerName)} `}}`,
      '',
      ...FUNCTIONS,
      '',
      ...dns.zones.flatMap(zone => [
        `Add-MissingZone ${powerShellString(zone)} @{ ${replicationScope === undefined
          ? `ZoneFile = ${powerShellString(`${zone}.dns`)}`
          : `ReplicationScope = ${powerShellString(replicationScope)}`} }`,
        ...recordsOfZone(dns, zone).map(({ name, type, values, ttlSeconds }) => [
          'Set-Record', powerShellString(zone), powerShellString(relativeName(name, zone)), powerShellString(type), String(ttlSeconds),
          `@(${values.map(value => powerShellString(type === DnsRecordType.CNAME ? absolute(value) : value)).join(', ')})`,
          `@(${REPLACED_TYPES[type].map(powerShellString).join(', ')})`,
        ].join(' ')),
      ]),
      '',
    ].join('\r\n');
    return [{ name: 'tenant-dns.ps1', text }];
  }
}

/**
 * A text as a PowerShell string in which nothing is expanded. PowerShell takes typographic quotes for single quotes too
 * and reads each as one when it is doubled (about_Quoting_Rules).
 */
export function powerShellString(text: string): string {
  return `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
}

const VALUE_OF_RECORD = Object.entries(RECORD_TYPES).map(([type, { property }]) => `        '${type}' { $Record.RecordData.${property} }`);
const PARAMETER_OF_TYPE = Object.entries(RECORD_TYPES).map(([type, { parameter }]) => `${type} = '${parameter}'`).join('; ');

/** Wildcards are compared by hand: a search for `*` could mean every name. */
const FUNCTIONS = [
  'function Add-MissingZone([string]$Zone, [hashtable]$Storage) {',
  '    if (-not (Get-DnsServerZone @Server -Name $Zone -ErrorAction SilentlyContinue)) {',
  '        Add-DnsServerPrimaryZone @Server -Name $Zone @Storage',
  '    }',
  '}',
  '',
  'function Get-RecordValue($Record) {',
  '    switch ($Record.RecordType) {',
  ...VALUE_OF_RECORD,
  '    }',
  '}',
  '',
  '$Known = @{}',
  'function Get-Record([string]$Zone, [string]$Name, [string]$Type) {',
  '    $Key = "$Zone $Type"',
  '    if (-not $Known.ContainsKey($Key)) {',
  '        $Known[$Key] = @(Get-DnsServerResourceRecord @Server -ZoneName $Zone -RRType $Type | Group-Object HostName -AsHashTable -AsString)',
  '    }',
  '    $ByName = $Known[$Key] | Select-Object -First 1',
  '    if ($ByName -and $ByName.ContainsKey($Name)) { $ByName[$Name] }',
  '}',
  '',
  'function Set-Record([string]$Zone, [string]$Name, [string]$Type, [int]$Seconds, [string[]]$Values, [string[]]$Replaced) {',
  `    $Parameter = @{ ${PARAMETER_OF_TYPE} }[$Type]`,
  '    $Ttl = [TimeSpan]::FromSeconds($Seconds)',
  '    $Kept = @()',
  '    foreach ($Other in $Replaced) {',
  '        Get-Record $Zone $Name $Other | ForEach-Object { Remove-DnsServerResourceRecord @Server -ZoneName $Zone -InputObject $_ -Force }',
  '    }',
  '    foreach ($Record in @(Get-Record $Zone $Name $Type)) {',
  '        $Value = Get-RecordValue $Record',
  '        if ($Values -contains $Value -and $Record.TimeToLive -eq $Ttl) {',
  '            $Kept += $Value',
  '        } else {',
  '            Remove-DnsServerResourceRecord @Server -ZoneName $Zone -InputObject $Record -Force',
  '        }',
  '    }',
  '    foreach ($Value in $Values | Where-Object { $Kept -notcontains $_ }) {',
  '        $Data = @{ $Type = $true; $Parameter = $Value }',
  '        Add-DnsServerResourceRecord @Server -ZoneName $Zone -Name $Name -TimeToLive $Ttl @Data',
  '    }',
  '}',
];
