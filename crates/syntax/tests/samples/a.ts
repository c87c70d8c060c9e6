import type { Request } from 'express';
import fs = require('fs');
export interface Shape<T> extends Base<T>, Other { area(): number; readonly name: string }
export type Id = string | number;
export enum Color { Red, Green = 2 }
declare module 'x' { export function y(): void; }
namespace N.M { export const z = 1; }
@Injectable()
export abstract class Circle<T> extends Figure<T> implements Shape<T>, Named {
  private readonly r: number = 1;
  constructor(private service: Service, public size?: number) { super(); }
  abstract draw(ctx: Context): void;
  @Input() handle = (event: Event): void => { this.service.run(event); };
  static async make<U>({ a, b: c }: Options, ...rest: U[]): Promise<Circle<U>> {
    const x = a as Id;
    const other = new Circle<U>(rest);
    return other.draw(x)!;
  }
}
export function over(a: string): void;
export function over(a: any) { return typeof a; }
export default Circle;
