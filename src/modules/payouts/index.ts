import './types.ts';
import './queries.ts';
import './mutations.ts';
import './more-mutations.ts';
import './verification-fields.ts';
