// How far apart two colours look, to usual eyes and to those that lack one kind of cone.

export type Rgb = readonly [number, number, number];
type Matrix = readonly [Rgb, Rgb, Rgb];

/** Machado, Oliveira and Fernandes (2009), severity 1, on linear light. */
const LACKING: Record<string, Matrix> = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

export const SIGHTS = ["usual", ...Object.keys(LACKING)];

/** Linear light of `#rrggbb`. */
export function linearOf(hex: string): Rgb {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return [r, g, b];
}

/** The difference in OKLab, times 100: about 2 can just be seen side by side. */
export function difference(a: string, b: string, sight: string): number {
  const [one, other] = [seen(a, sight), seen(b, sight)];
  return 100 * Math.hypot(...one.map((value, at) => value - (other[at] ?? 0)));
}

function seen(hex: string, sight: string): Rgb {
  const light = linearOf(hex);
  const lacking = LACKING[sight];
  return okLab(lacking ? times(lacking, light) : light);
}

function okLab(light: Rgb): Rgb {
  const [l, m, s] = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    light.map((value) => Math.min(1, Math.max(0, value))) as unknown as Rgb,
  ).map(Math.cbrt) as unknown as Rgb;
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    [l, m, s],
  );
}

function times(matrix: Matrix, [x, y, z]: Rgb): Rgb {
  return matrix.map((row) => row[0] * x + row[1] * y + row[2] * z) as unknown as Rgb;
}
