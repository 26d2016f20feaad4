import './types/usage.ts';
import './queries.ts';
import './mutations.ts';
import './live.ts';
