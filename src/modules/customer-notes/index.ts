import './types.ts';
import './mutations.ts';
