import './types.ts';
import './relations.ts';
