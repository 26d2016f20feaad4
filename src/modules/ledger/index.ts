import './types.ts';
import './relations.ts';
import './queries.ts';
