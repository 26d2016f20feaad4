import './types.ts';
import './queries.ts';
import './events.ts';
