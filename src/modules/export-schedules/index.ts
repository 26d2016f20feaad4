import './enums.ts';
import './types.ts';
import './queries.ts';
import './mutations.ts';
