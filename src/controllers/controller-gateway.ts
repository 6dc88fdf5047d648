/** What platforms ask of a gateway of this library. */
export interface ControllerGateway {
  readonly namespace: string;
  readonly podLabels: { [name: string]: string };
  /** Type of the TLV with the cluster ID; undefined when the gateway does not route on cluster IDs. */
  readonly tlvType?: number;
}
