export * from './exposure-report';
export * from './prices';
export * from './report-document';
