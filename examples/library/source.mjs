/** What syntax alone says of a program: lines, scopes, what can come next. */
import { parseProgram } from 'npdb';

const program = parseProgram('def sign(x):\n    if x < 0:\n        return -1\n    return 1\n', 'main.py');
console.log(program.scopes.map((scope) => scope.qualname)); // [ '<module>', 'sign' ]
console.log(program.successors(1, 2).normal); // [ 3, 4 ]
console.log(program.successors(1, 3).returns); // true
console.log(program.predecessors(1, 4)); // [ 2 ]
