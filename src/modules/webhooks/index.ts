import './types.ts';
import './relations.ts';
import './queries.ts';
import './mutations.ts';
import './live.ts';
