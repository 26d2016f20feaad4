import './types.ts';
import './queries.ts';
import './mutations.ts';
import './feature-mutations.ts';
import './price-mutations.ts';
import './regional-mutations.ts';
