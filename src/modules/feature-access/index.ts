import './types/access.ts';
import './queries.ts';
import './live.ts';
