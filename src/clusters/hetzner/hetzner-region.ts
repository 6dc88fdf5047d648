/** Locations of Hetzner Cloud. */
export enum HetznerRegion {
  /** Falkenstein. */
  FSN1 = 'fsn1',
  /** Nuremberg. */
  NBG1 = 'nbg1',
  /** Helsinki. */
  HEL1 = 'hel1',
  /** Ashburn. */
  ASH = 'ash',
  /** Hillsboro. */
  HIL = 'hil',
  /** Singapore. */
  SIN = 'sin',
}

/** Zones that private networks of Hetzner Cloud lie in. */
export enum HetznerNetworkZone {
  EU_CENTRAL = 'eu-central',
  US_EAST = 'us-east',
  US_WEST = 'us-west',
  AP_SOUTHEAST = 'ap-southeast',
}

/** The zone that a region lies in: a network reaches the servers of its zone alone. */
export const ZONE_OF_REGION: { readonly [region in HetznerRegion]: HetznerNetworkZone } = {
  [HetznerRegion.FSN1]: HetznerNetworkZone.EU_CENTRAL,
  [HetznerRegion.NBG1]: HetznerNetworkZone.EU_CENTRAL,
  [HetznerRegion.HEL1]: HetznerNetworkZone.EU_CENTRAL,
  [HetznerRegion.ASH]: HetznerNetworkZone.US_EAST,
  [HetznerRegion.HIL]: HetznerNetworkZone.US_WEST,
  [HetznerRegion.SIN]: HetznerNetworkZone.AP_SOUTHEAST,
};
