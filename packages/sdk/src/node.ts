/** What only Node needs. */
export { nodeFetch } from './node-fetch.ts';
