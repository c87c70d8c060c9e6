// What can lie over any screen: the palette, or the sheet of keys.

import { Suspense, useState } from "react";
import { palette, shortcutSheet } from "./screens";

export type OverlayName = "palette" | "shortcuts";

export function Overlay(props: {
  name: OverlayName;
  onChange: (overlay: OverlayName | null) => void;
}) {
  const { name, onChange } = props;
  // Chosen once for its time on the page, as screens are.
  const [{ Palette, Sheet }] = useState(() => ({ Palette: palette(), Sheet: shortcutSheet() }));
  const close = () => onChange(null);
  return (
    <Suspense>
      {name === "palette" ? (
        <Palette onClose={close} onShortcuts={() => onChange("shortcuts")} />
      ) : (
        <Sheet onClose={close} />
      )}
    </Suspense>
  );
}
