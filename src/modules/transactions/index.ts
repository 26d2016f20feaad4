import './types.ts';
import './refund-types.ts';
import './queries.ts';
import './mutations.ts';
