export { imagesOf } from './images';
export type { ImageUse } from './images';
export { certificateKeys, keptBySync } from './made-by-others';
export { API, ARGO_CD_CLUSTER, DEFAULT_STORAGE_CLASS, OPERATOR } from './prerequisite';
export type { Prerequisite, Reference } from './prerequisite';
export { isImageOf } from './programs';
export { broughtBy, prerequisitesOf } from './read-prerequisites';
export { isRead } from './references';
