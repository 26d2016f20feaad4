import './types.ts';
import './queries.ts';
import './simulation.ts';
import './mutations.ts';
import './events.ts';
