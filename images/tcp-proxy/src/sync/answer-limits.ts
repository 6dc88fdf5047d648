import { SharedBudget } from '../kubernetes/answer';
import { JsonLimits } from '../kubernetes/bounded-json';

/**
 * What answers of a tenant may be, by what is asked for. Each is several times of what honest API servers send. At these
 * limits no text keeps the parser busy for 50 ms, or becomes more than 10 MiB in memory, whatever it is made of.
 */
const DEPTH = 128;

/** An object that `sync` applies itself, or the metadata of any other. */
export const OBJECT: JsonLimits = { bytes: 512 * 2 ** 10, depth: DEPTH, nodes: 20_000 };

/** The resources of one group and version: those of Kubernetes have up to 1,500 nodes, large families of definitions 6,000. */
export const DISCOVERY: JsonLimits = { bytes: 512 * 2 ** 10, depth: DEPTH, nodes: 20_000 };

/** A page of metadata. */
export const LIST: JsonLimits = { bytes: 2 ** 20, depth: DEPTH, nodes: 20_000 };

/** The text of an inventory: room for 3,000 objects with a namespace and pods. */
export const INVENTORY: JsonLimits = { bytes: 512_000, depth: 4, nodes: 40_000 };

/** The ConfigMap around an inventory, in which each quotation mark is two bytes long. */
export const INVENTORY_OBJECT: JsonLimits = { ...OBJECT, bytes: 2 * INVENTORY.bytes };

/** An answer that nobody looks into: an object as it was stored, which is at most what etcd takes. */
export const IGNORED: JsonLimits = { bytes: 4 * 2 ** 20, depth: 0, nodes: 0 };

/** What all long answers of tenants may take that are being read at the same time. */
export const longAnswersOfTenants = () => new SharedBudget(16 * 2 ** 20);
