import './types.ts';
import './queries.ts';
import './mutations.ts';
import './live.ts';
