import { IConstruct } from 'constructs';
import { Check, instance } from './props';

/** A construct, known by its place in the tree. */
export const A_CONSTRUCT: Check<IConstruct> = instance<IConstruct>('Give a construct, e.g. a chart', 'node');
