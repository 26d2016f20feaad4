import './types.ts';
import './queries.ts';
import './live.ts';
