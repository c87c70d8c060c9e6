"""Writes expected.json: what Hugging Face transformers computes from the seeded weights of these tests.

usage: pip install torch==2.15.0 transformers==5.23.0 && python reference.py

The weights are those that the tests write, number by number; checkpoints carry the names of the published
ones (CodeRankEmbed, LateOn-Code), and transformers maps them itself. Nothing is downloaded.
"""
import json
import pathlib
import tempfile

import torch
import transformers
from safetensors.torch import save_file

DIM, INNER, VOCABULARY = 16, 24, 64
# `[CLS] a b c d [SEP]`, and a text that local attention does not see whole.
SHORT = [2, 6, 7, 8, 9, 3]
LONG = [2, 6, 7, 8, 9, 10, 11, 6, 8, 3]


def seeded(shapes):
    """As `seeded` in tests/encoders/tiny.rs."""
    state, tensors = 42, {}
    for name, shape in shapes:
        values = []
        for _ in range(torch.Size(shape).numel()):
            state = (state * 6364136223846793005 + 1) % 2**64
            values.append((state >> 33) % 128 / 128 - 0.5)
        tensors[name] = torch.tensor(values, dtype=torch.float32).reshape(shape)
    return tensors


def nomic_shapes():
    yield "embeddings.word_embeddings.weight", (VOCABULARY, DIM)
    yield "embeddings.token_type_embeddings.weight", (2, DIM)
    yield "emb_ln.weight", (DIM,)
    yield "emb_ln.bias", (DIM,)
    for layer in range(2):
        for part, shape in [
                ("attn.Wqkv.weight", (3 * DIM, DIM)), ("attn.out_proj.weight", (DIM, DIM)),
                ("mlp.fc11.weight", (INNER, DIM)), ("mlp.fc12.weight", (INNER, DIM)),
                ("mlp.fc2.weight", (DIM, INNER)), ("norm1.weight", (DIM,)), ("norm1.bias", (DIM,)),
                ("norm2.weight", (DIM,)), ("norm2.bias", (DIM,))]:
            yield f"encoder.layers.{layer}.{part}", shape


NOMIC = {"model_type": "nomic_bert", "architectures": ["NomicBertModel"], "hidden_size": DIM, "num_attention_heads": 2,
         "num_hidden_layers": 2, "intermediate_size": INNER, "vocab_size": VOCABULARY, "type_vocab_size": 2,
         "layer_norm_eps": 1e-12, "hidden_act": "silu", "max_position_embeddings": 64,
         "rope_parameters": {"rope_type": "default", "rope_theta": 1000.0}}


def modern_shapes():
    yield "embeddings.tok_embeddings.weight", (VOCABULARY, DIM)
    yield "embeddings.norm.weight", (DIM,)
    yield "final_norm.weight", (DIM,)
    for layer in range(4):
        for part, shape in [("attn.Wqkv", (3 * DIM, DIM)), ("attn.Wo", (DIM, DIM)), ("mlp.Wi", (2 * INNER, DIM)),
                            ("mlp.Wo", (DIM, INNER)), ("mlp_norm", (DIM,))]:
            yield f"layers.{layer}.{part}.weight", shape
        if layer:
            yield f"layers.{layer}.attn_norm.weight", (DIM,)


MODERN = {"model_type": "modernbert", "architectures": ["ModernBertModel"], "hidden_size": DIM,
          "num_attention_heads": 2, "num_hidden_layers": 4, "intermediate_size": INNER, "vocab_size": VOCABULARY,
          "norm_eps": 1e-5, "global_rope_theta": 160000.0, "local_rope_theta": 10000.0,
          "global_attn_every_n_layers": 3, "local_attention": 2, "hidden_activation": "gelu",
          "attention_bias": False, "mlp_bias": False, "norm_bias": False, "max_position_embeddings": 64,
          "pad_token_id": 0, "cls_token_id": 2, "sep_token_id": 3, "bos_token_id": 2, "eos_token_id": 3}


def head(n_out, n_in):
    """As `values` in tests/encoders/pre_norm.rs."""
    values = [(i * 37 + 11) % 64 / 64 - 0.5 for i in range(n_out * n_in)]
    return torch.tensor(values).reshape(n_out, n_in)


def load(kind, config, tensors):
    """A checkpoint on disk, read as any published one; it must have every weight and no other."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "config.json").write_text(json.dumps(config))
        save_file(tensors, f"{folder}/model.safetensors", metadata={"format": "pt"})
        model, info = kind.from_pretrained(
            folder, dtype=torch.float32, attn_implementation="eager", output_loading_info=True)
        wrong = {k: sorted(v) for k, v in info.items() if v and k in ("missing_keys", "unexpected_keys", "mismatched_keys")}
        assert not wrong, wrong
        return model.eval()


def rounded(tensor):
    return [round(x, 6) for x in tensor.flatten().double().tolist()]


def states(model, ids):
    return model(input_ids=torch.tensor([ids])).last_hidden_state[0]


@torch.no_grad()
def main():
    nomic = load(transformers.NomicBertModel, NOMIC, seeded(nomic_shapes()))
    modern = load(transformers.ModernBertModel, MODERN, seeded(modern_shapes()))
    unit = torch.nn.functional.normalize
    projected = states(modern, LONG) @ head(6, DIM).T @ head(3, 6).T
    expected = {
        "transformers": transformers.__version__, "torch": torch.__version__.split("+")[0],
        "nomic_states": rounded(states(nomic, LONG)),
        "nomic_vector": rounded(unit(states(nomic, SHORT)[0], dim=0)),
        "modern_states": rounded(states(modern, LONG)),
        # The two special tokens have no vector.
        "late_interaction_vectors": rounded(unit(projected[1:-1], dim=1)),
    }
    path = pathlib.Path(__file__).with_name("expected.json")
    path.write_text(json.dumps(expected) + "\n")
    print({name: len(value) for name, value in expected.items()})


main()
