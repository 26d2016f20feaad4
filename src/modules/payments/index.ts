import './types.ts';
import './totals.ts';
import './queries.ts';
import './mutations.ts';
