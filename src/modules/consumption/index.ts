import './types.ts';
import './queries.ts';
import './relations.ts';
