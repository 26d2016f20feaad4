import './types/test-clock.ts';
import './queries.ts';
import './types/simulation.ts';
import './mutations.ts';
import './live.ts';
